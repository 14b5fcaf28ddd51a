#pragma once

#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace gdkm {

/// A vector whose copies share their elements until one of them is written to. So a graph of many gigabytes
/// is handed on by value, as small ones are, and exists once. Reading through an object that is not const
/// counts as writing. Several threads may read, or write to elements of one object; the first write to a
/// shared one, which copies, must be made by one thread alone: call edit() before.
template <class T>
class SharedVector {
 public:
  using value_type = T;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = T&;
  using const_reference = const T&;
  using iterator = typename std::vector<T>::iterator;
  using const_iterator = typename std::vector<T>::const_iterator;

  SharedVector() = default;
  SharedVector(std::vector<T> elements) : elements_(std::make_shared<std::vector<T>>(std::move(elements))) {}
  SharedVector(std::initializer_list<T> elements) : SharedVector(std::vector<T>(elements)) {}
  explicit SharedVector(std::size_t size, const T& value = {}) : SharedVector(std::vector<T>(size, value)) {}
  template <class Iterator>
  SharedVector(Iterator first, Iterator last) : SharedVector(std::vector<T>(first, last)) {}

  const std::vector<T>& get() const {
    static const std::vector<T> none;
    return elements_ ? *elements_ : none;
  }
  operator const std::vector<T>&() const { return get(); }
  /// The elements, to be changed; no other object has them then.
  std::vector<T>& edit() {
    if (!elements_) {
      elements_ = std::make_shared<std::vector<T>>();
    } else if (elements_.use_count() > 1) {
      elements_ = std::make_shared<std::vector<T>>(*elements_);
    }
    return *elements_;
  }
  /// Whether both are the same elements in memory.
  bool shares_with(const SharedVector& other) const { return elements_ && elements_ == other.elements_; }

  std::size_t size() const { return get().size(); }
  bool empty() const { return get().empty(); }
  const T* data() const { return get().data(); }
  const T& operator[](std::size_t k) const { return get()[k]; }
  const T& at(std::size_t k) const { return get().at(k); }
  const T& front() const { return get().front(); }
  const T& back() const { return get().back(); }
  const_iterator begin() const { return get().begin(); }
  const_iterator end() const { return get().end(); }

  T* data() { return edit().data(); }
  T& operator[](std::size_t k) { return edit()[k]; }
  T& front() { return edit().front(); }
  T& back() { return edit().back(); }
  iterator begin() { return edit().begin(); }
  iterator end() { return edit().end(); }
  void clear() { elements_.reset(); }
  void reserve(std::size_t size) { edit().reserve(size); }
  void resize(std::size_t size, const T& value = {}) { edit().resize(size, value); }
  void shrink_to_fit() { edit().shrink_to_fit(); }
  void assign(std::size_t size, const T& value) { edit().assign(size, value); }
  void push_back(const T& value) { edit().push_back(value); }
  void pop_back() { edit().pop_back(); }
  template <class... Arguments>
  iterator insert(const_iterator at, Arguments&&... arguments) {
    return edit().insert(at, std::forward<Arguments>(arguments)...);
  }
  iterator insert(const_iterator at, std::initializer_list<T> values) { return edit().insert(at, values); }
  template <class... Arguments>
  iterator erase(Arguments&&... arguments) {
    return edit().erase(std::forward<Arguments>(arguments)...);
  }
  template <class... Arguments>
  T& emplace_back(Arguments&&... arguments) {
    return edit().emplace_back(std::forward<Arguments>(arguments)...);
  }

  template <class Condition>
  friend std::size_t erase_if(SharedVector& from, Condition condition) {
    return std::erase_if(from.edit(), condition);
  }
  friend bool operator==(const SharedVector& a, const SharedVector& b) { return a.get() == b.get(); }

 private:
  std::shared_ptr<std::vector<T>> elements_;
};

}  // namespace gdkm
