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
  const Files triplets = {
      {"features", "node,feature,value\n0,5,1\n1,2,0.5\n"}, {"edges", "0,1\n"}, {"options", "undirected"}};
  const Files matrices = {{"edges", "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 1\n"},
                          {"features", "%%MatrixMarket matrix array real general\n3 1\n1\n2\n3\n"},
                          {"labels", "1,a\n2,b\n3,a\n"}};
  const Files numbers = {{"edges", "0,1\n1,2\n"},
                         {"labels", "0,1.5\n1,-2e3\n2,?\n"},
                         {"splits", "0,train\n1,test\n"},
                         {"options", "regression"}};
  const Files table = {{"nodes", "Kunde;Alter;Umsatz;Tarif\na;31;1,5;gold\nb;;NA;plus\nc;20;-2,5;gold\n"},
                       {"edges", "Kunde A;Kunde B;Gewicht\na;b;1,5\nb;c;2\n"},
                       {"options", "header"}};
  const Files pandas = {{"nodes", ",id,height,active,team\n0,u0,3.5,True,red\n1,u1,nan,False,blue\n"},
                        {"edges", ",from_user,to_user,since\n0,u0,u1,2021\n"},
                        {"options", "category ordinal label:active"}};
  const Files dicts = {{"edges", "a b {'weight': 0.5, 'kind': 'x y'}\nb c {}\n"},
                       {"labels", "node,club\na,NA\nb,x\nc,y\n"}};
  const Files typed = {
      {"features", "id,height,team\na,1,red\nb,,blue\n"},
      {"edges", "a,b\n"},
      {"columns", "name,type,missing,values\nheight,number,yes\nteam,category,no,red,blue\n"}};
  const Files neighbours = {{"edges", "# GMT\na b c\nb c\nc\nd\n"}, {"labels", "a,x\nb,y\nc,x\nd,y\n"}};
  const Files named = {{"adjlist", "0,1,2\n1,2,3\n"}, {"options", "directed"}};
  const Files words = {{"features", "node,feature,value\na,0,1\nb,1,2\n"},
                       {"edges", "a,b\n"},
                       {"columns", "name,type,missing,values\n*,words\nsun,number,no\nmoon,number,no\n"}};
  const Files own = {{"features", "node,feature,value\na,0,1\nb,1,1\n"},
                     {"edges", "source,target\na,b\n"},
                     {"columns", "name,type,missing,values\n*,nodes\na,number,no\nb,number,no\n"}};
  std::vector<std::string> out;
  for (const Files* files : {&people, &counted, &nodes, &alone, &triplets, &matrices, &numbers, &pandas,
                             &dicts, &typed, &table, &neighbours, &named, &words, &own})
    out.push_back(to_container(*files));
  return out;
}

std::vector<std::string> graphml_seeds() {
  return {testing::graphml_sample,
          "<graphml><graph edgedefault='directed'><node id='0'/><node id='1'/>"
          "<edge directed='true' source='1' target='0'/></graph></graphml>",
          "<graphml><key id='t' for='edge' attr.name='type'/><graph><node id='0'/><node id='1'/>"
          "<edge source='1' target='0'><data key='t'>likes</data></edge></graph></graphml>"};
}

std::vector<std::string> gexf_seeds() {
  return {
      "<gexf version='1.2'><graph defaultedgetype='undirected'><attributes class='node'>"
      "<attribute id='0' title='age' type='integer'/><attribute id='1' title='club' type='string'>"
      "<default>red</default></attribute></attributes><nodes><node id='a' label='Ann'><attvalues>"
      "<attvalue for='0' value='30'/></attvalues></node><node id='b' label='Bob'><attvalues>"
      "<attvalue for='1' value='blue'/></attvalues></node></nodes><edges><edge id='0' source='a' "
      "target='b' weight='2.5'/></edges></graph></gexf>",
      "<gexf><graph defaultedgetype='directed'><nodes><node id='0'/><node id='1'/></nodes><edges>"
      "<edge source='1' target='0' type='directed' kind='likes'/></edges></graph></gexf>"};
}

std::vector<std::string> gml_seeds() {
  return {
      "Creator \"igraph\"\nVersion 1\ngraph\n[\n directed 0\n node [ id 0 age 30.5 club \"a\" x 1 x 2 ]\n"
      " node [ id 1 age 2 club \"b &amp; c\" graphics [ x 1 y [ z 2 ] ] ]\n edge [ source 0 target 1 value 2 "
      "]\n]\n",
      "# a comment\ngraph [ directed 1 node [ id 7 label \"Ann\" ] node [ id 9 label \"Bob\" ]\n"
      "edge [ source 7 target 9 weight 0.5 type \"t\" ] ]"};
}

std::vector<std::string> pajek_seeds() {
  return {
      "*vertices 3\n1 \"Mr. Hi\" 0.0 0.0 ellipse club a age 3\n2 Ann 0.5 1 box ic Red club b\n3 Bob\n"
      "*arcs :1 \"likes\"\n1 2 0.5\n*edges\n2 3 1.0 kind \"x y\"\n",
      "% a comment\n*Network net\n*Vertices 4 2\n*Edgeslist\n1 2 3\n*Arcslist\n4 1 2\n"};
}

std::vector<std::string> node_link_seeds() {
  return {R"({"directed": false, "nodes": [{"id": "a", "age": 3, "club": "x", "v": [0.5, 2]},
              {"id": "b", "age": null, "club": "y", "ok": true}], "links": [{"source": "a", "target": "b", "weight": 2}]})",
          R"({"nodes": [{"name": "Ann", "group": 1}, {"name": "Bob", "group": 2}],
              "edges": [{"source": 0, "target": 1, "value": 3}]})"};
}

}  // namespace gdkm::fuzzing
