#include "gdkm/layers/input.hpp"

namespace gdkm {

template <class T>
InputLayer<T>::InputLayer(Workspace<T>& workspace, const InputData<T>& data, const Mixing<T>& mixing,
                          Parameters<T>& parameters, Index inducing, const RelationWeightOptions& options)
    : FeatureKernel<T>(workspace, inducing, width_of(data, mixing), width_of(data, mixing) >= inducing),
      workspace_(workspace),
      data_(data),
      mixing_(mixing),
      parameters_(parameters),
      x_i_(parameters.declare("X_i", inducing, this->width())) {
  Backend<T>& backend = workspace.backend();
  if (data.mixing == InputMixing::within) workspace.scratch(0, 0);
  if (const Index count = relations(data, mixing); count > 1) {
    weights_.emplace(workspace, parameters, "mix1", count, options.learned);
    scaled_ = Matrix<T>(backend, this->width(), inducing);
  }
  if (options.degree > 0 && data.mixing == InputMixing::within) {
    workspace.scratch(1, 0);
    polynomial_.emplace(workspace, mixing.tt(), parameters, "mix1", options.degree, 2);
  }
  if (!mixes_inducing()) {
    gram_ = Matrix<T>(backend, inducing, inducing);
    return;
  }
  f_i_ = Matrix<T>(backend, inducing, data.cols());
  small_ = Matrix<T>(backend, inducing, inducing);
  if (workspace.training()) f_i_bar_ = Matrix<T>(backend, inducing, data.cols());
}

template <class T>
View<T> InputLayer<T>::f_i() {
  return mixes_inducing() ? f_i_.view() : parameters_.value(x_i_);
}

template <class T>
View<T> InputLayer<T>::f_i_bar() {
  return mixes_inducing() ? f_i_bar_.view() : parameters_.gradient(x_i_);
}

template <class T>
void InputLayer<T>::forward() {
  kernel_reached_ = false;
  if (weights_) weights_->forward();
  if (workspace_.training()) this->clear_kernel_gradient();
  if (!mixes_inducing()) return;
  this->backend_.add(T(1), data_.inducing_part, T(0), f_i_);
  this->backend_.spmm(T(1), Op::none, mixing_.ii, parameters_.value(x_i_), T(1), f_i_);
  if (workspace_.training()) this->backend_.fill(f_i_bar_, T(0));
}

template <class T>
void InputLayer<T>::backward(T /*scale*/) {
  if (kernel_reached_) this->add_kernel_gradient();
  if (weights_) weights_->backward();
  if (!mixes_inducing()) return;
  this->backend_.spmm(T(1), Op::transpose, mixing_.ii, f_i_bar_, T(1), parameters_.gradient(x_i_));
}

template <class T>
void InputLayer<T>::factor(T jitter, View<T> h, View<T> inverse, View<T> used) {
  kernel_reached_ = true;
  if (mixes_inducing()) return this->backend_.cholesky_of_gram(f_i(), jitter, h, inverse, used);
  this->backend_.gram(f_i(), gram_);
  this->backend_.cholesky(gram_, jitter, h, inverse, used);
}

template <class T>
void InputLayer<T>::times_x(ConstView<T> b, View<T> out) {
  if (data_.is_sparse()) return this->backend_.spmm(T(1), Op::none, data_.sparse, b, T(0), out);
  this->backend_.gemm(T(1), Op::none, data_.dense, Op::none, b, T(0), out);
}

template <class T>
void InputLayer<T>::times_x_transposed(ConstView<T> out_bar, View<T> b_bar) {
  if (data_.is_sparse()) return this->backend_.spmm(T(1), Op::transpose, data_.sparse, out_bar, T(0), b_bar);
  this->backend_.gemm(T(1), Op::transpose, data_.dense, Op::none, out_bar, T(0), b_bar);
}

template <class T>
void InputLayer<T>::mix(ConstView<T> b, View<T> out) {
  const Index count = mixing_.count(), d = data_.cols();
  for (Index r = 0; r < count; ++r) {
    const View<T> unmixed = workspace_.scratch(0, b.cols);
    times_x(b.block_rows(r * d, d), unmixed);
    if (polynomial_) return polynomial_->apply(unmixed, out);
    const T beta = r == 0 ? T(0) : T(1);
    if (mixing_.is_identity(r)) {
      this->backend_.add(T(1), unmixed, beta, out);
    } else {
      this->backend_.spmm(T(1), Op::none, mixing_.relation(r), unmixed, beta, out);
    }
  }
}

template <class T>
void InputLayer<T>::mix_transposed(ConstView<T> out_bar, View<T> b_bar) {
  const Index d = data_.cols();
  for (Index r = 0; r < mixing_.count(); ++r) {
    if (mixing_.is_identity(r)) {
      times_x_transposed(out_bar, b_bar.block_rows(r * d, d));
      continue;
    }
    const View<T> unmixed_bar = workspace_.scratch(0, out_bar.cols);
    if (polynomial_) {
      polynomial_->apply_transposed(out_bar, unmixed_bar);
    } else {
      this->backend_.spmm(T(1), Op::transpose, mixing_.relation(r), out_bar, T(0), unmixed_bar);
    }
    times_x_transposed(unmixed_bar, b_bar.block_rows(r * d, d));
  }
}

template <class T>
void InputLayer<T>::project(ConstView<T> b, View<T> out) {
  ConstView<T> weighted = b;
  if (weights_) {
    const View<T> scaled = scaled_.view().reshaped(b.rows, b.cols);
    weights_->scale(b, scaled);
    weighted = scaled;
  }
  if (data_.mixing == InputMixing::within) {
    mix(weighted, out);
  } else {
    times_x(weighted, out);
  }
  if (!mixes_inducing()) return;
  const View<T> y = small_.view().reshaped(this->inducing(), b.cols);
  this->backend_.gemm(T(1), Op::none, parameters_.value(x_i_), Op::none, b, T(0), y);
  this->backend_.spmm(T(1), Op::none, mixing_.ti, y, T(1), out);
}

template <class T>
void InputLayer<T>::project_transposed(ConstView<T> out_bar, View<T> b_bar) {
  if (data_.mixing == InputMixing::within) {
    mix_transposed(out_bar, b_bar);
  } else {
    times_x_transposed(out_bar, b_bar);
  }
  if (weights_) weights_->scale(b_bar, b_bar);
  if (!mixes_inducing()) return;
  const View<T> y_bar = small_.view().reshaped(this->inducing(), out_bar.cols);
  this->backend_.spmm(T(1), Op::transpose, mixing_.ti, out_bar, T(0), y_bar);
  this->backend_.gemm(T(1), Op::transpose, parameters_.value(x_i_), Op::none, y_bar, T(1), b_bar);
}

template <class T>
void InputLayer<T>::project_backward(ConstView<T> b, ConstView<T> out_bar, View<T> b_bar) {
  if (polynomial_) {
    const View<T> unmixed = workspace_.scratch(0, b.cols), unmixed_bar = workspace_.scratch(1, b.cols);
    times_x(b, unmixed);
    polynomial_->apply_backward(unmixed, out_bar, unmixed_bar);
    return times_x_transposed(unmixed_bar, b_bar);
  }
  project_transposed(out_bar, b_bar);
  if (weights_) weights_->add_gradient(b, b_bar);
  if (!mixes_inducing()) return;
  // As project_transposed left it.
  const View<T> y_bar = small_.view().reshaped(this->inducing(), b.cols);
  this->backend_.gemm(T(1), Op::none, y_bar, Op::transpose, b, T(1), parameters_.gradient(x_i_));
}

template class InputLayer<float>;
template class InputLayer<double>;

}  // namespace gdkm
