#include "container.hpp"
#include "own_graph_harness.hpp"
#include "tests/data/formats/graphml/graphml_sample.hpp"

namespace gdkm::fuzzing {

std::vector<std::string> csv_graph_seeds() {
  const Files people = {{"edges", "source,target\nann,bob\nbob,cat\ncat,dan\n"},
                        {"features", "id,height,weight\nann,1.5,2\nbob,0,-1\ncat,3e2,4\ndan,0,0\n"},
                        {"labels", "id,team\nann,red\ndan,blue\nbob,?\n"},
                        {"splits", "id,a,b\nann,train,test\ndan,test,train\n"},
                        {"classes", "red\nblue\n"}};
  const Files counted = {{"edges", "0 1 0.5\n1 2 2\n"},
                         {"features", "0;1\n1;2\n2;3\n"},
                         {"labels", "2\t1\n0\t0\n1\t-1\n"},
                         {"splits", "id,geom:0,public:0\n0,train,train\n2,valid,Validation\n"}};
  const Files nodes = {
      {"nodes", "name,height,team,note,age\nbob,1,red,x,3\nann,2,,\"y, z\",4\ncat,0,red,,5\ndan,1,blue,,6\n"},
      {"edges", "source,target,weight,type\nann,bob,1,likes\nbob,cat,2,knows\n"},
      {"options", "ignore header directed label:team"}};
  const Files alone = {{"edges", "n10,n2\nn2,n1\nn2,n2\n"}, {"options", "no header identity"}};
  const Files triplets = {{"features", "node,feature,value\n0,5,1\n1,2,0.5\n"},
                          {"edges", "0,1\n"},
                          {"options", "undirected ones"}};
  const Files matrices = {{"edges", "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 1\n"},
                          {"features", "%%MatrixMarket matrix array real general\n3 1\n1\n2\n3\n"},
                          {"labels", "1,a\n2,b\n3,a\n"}};
  const Files numbers = {{"edges", "0,1\n1,2\n"},
                         {"labels", "0,1.5\n1,-2e3\n2,?\n"},
                         {"splits", "0,train\n1,test\n"},
                         {"options", "regression"}};
  return {to_container(people),   to_container(counted),  to_container(nodes),  to_container(alone),
          to_container(triplets), to_container(matrices), to_container(numbers)};
}

std::vector<std::string> graphml_seeds() {
  return {testing::graphml_sample,
          "<graphml><graph edgedefault='directed'><node id='0'/><node id='1'/>"
          "<edge directed='true' source='1' target='0'/></graph></graphml>",
          "<graphml><key id='t' for='edge' attr.name='type'/><graph><node id='0'/><node id='1'/>"
          "<edge source='1' target='0'><data key='t'>likes</data></edge></graph></graphml>"};
}

}  // namespace gdkm::fuzzing
