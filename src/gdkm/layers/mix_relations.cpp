#include "gdkm/layers/mix_relations.hpp"

namespace gdkm {

template <class T>
MixRelations<T>::MixRelations(Workspace<T>& workspace, Kernel<T>& input, const Mixing<T>& mixing,
                              Parameters<T>& parameters, const std::string& name, bool learned)
    : backend_(workspace.backend()),
      workspace_(workspace),
      input_(input),
      mixing_(mixing),
      weights_(workspace, parameters, name, mixing.count(), learned) {
  const Index m = input.inducing(), all = inducing();
  for (Matrix<T>* matrix : {&identity_, &h_, &inverse_}) *matrix = Matrix<T>(backend_, m, m);
  scaled_ = Matrix<T>(backend_, all, all);
  backend_.identity(identity_);
  workspace.scratch(input.depth(), 0);
  if (mixing.identity() < 0) workspace.scratch(input.depth() + 1, 0);
  if (!workspace.training()) return;
  ii_bar_ = Matrix<T>(backend_, all, all);
  unused_ = workspace.small(0, m, m);
}

template <class T>
void MixRelations<T>::forward() {
  weights_.forward();
  if (!ii_bar_.empty()) backend_.fill(ii_bar_, T(0));
}

template <class T>
void MixRelations<T>::backward(T /*scale*/) {
  const Index m = input_.inducing();
  for (Index r = 0; r < weights_.count(); ++r)
    backend_.add(T(1), ii_bar_.view().block_rows(r * m, m).block_cols(r * m, m), T(1), input_.ii_bar());
  weights_.backward();
}

template <class T>
void MixRelations<T>::factor(T jitter, View<T> h, View<T> inverse, View<T> used) {
  const Index m = input_.inducing();
  input_.factor(jitter, h_, inverse_, used);
  backend_.fill(h, T(0));
  backend_.fill(inverse, T(0));
  for (Index r = 0; r < weights_.count(); ++r) {
    backend_.add(T(1), h_, T(0), h.block_rows(r * m, m).block_cols(r * m, m));
    backend_.add(T(1), inverse_, T(0), inverse.block_rows(r * m, m).block_cols(r * m, m));
  }
}

template <class T>
View<T> MixRelations<T>::unmixed(View<T> c) const {
  const int self = mixing_.identity();
  return self >= 0 ? columns(c, self) : workspace_.scratch(input_.depth() + 1, input_.inducing());
}

template <class T>
View<T> MixRelations<T>::mixed() {
  const View<T> c = workspace_.scratch(input_.depth(), inducing()), k_ti = unmixed(c);
  input_.times(identity_, k_ti);
  for (Index r = 0; r < weights_.count(); ++r) {
    if (!mixing_.is_identity(r))
      backend_.spmm(T(1), Op::none, mixing_.relation(r), k_ti, T(0), columns(c, r));
  }
  return c;
}

template <class T>
void MixRelations<T>::times(ConstView<T> s, View<T> out) {
  const View<T> scaled = scaled_.view().reshaped(s.rows, s.cols);
  weights_.scale(s, scaled);
  backend_.gemm(T(1), Op::none, mixed(), Op::none, scaled, T(0), out);
}

template <class T>
void MixRelations<T>::times_backward(ConstView<T> s, ConstView<T> out_bar, View<T> s_bar) {
  const View<T> scaled = scaled_.view().reshaped(s.rows, s.cols);
  weights_.scale(s, scaled);
  const View<T> c = mixed(), k_ti_bar = unmixed(c);
  backend_.gemm(T(1), Op::transpose, c, Op::none, out_bar, T(0), s_bar);
  weights_.scale_backward(s, s_bar);
  // C has done its part; its gradient takes its place, and K_ti's gradient that of K_ti.
  backend_.gemm(T(1), Op::none, out_bar, Op::transpose, scaled, T(0), c);
  T beta = mixing_.identity() >= 0 ? T(1) : T(0);
  for (Index r = 0; r < weights_.count(); ++r) {
    if (mixing_.is_identity(r)) continue;
    backend_.spmm(T(1), Op::transpose, mixing_.relation(r), columns(c, r), beta, k_ti_bar);
    beta = T(1);
  }
  input_.times_backward(identity_, k_ti_bar, unused_);
}

template class MixRelations<float>;
template class MixRelations<double>;

}  // namespace gdkm
