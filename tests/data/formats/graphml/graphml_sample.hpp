#pragma once

namespace gdkm::testing {

/// A good file of three people, with a default, an entity and blanks around a number.
inline constexpr const char* graphml_sample = R"(<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="d0" for="node" attr.name="age" attr.type="int"/>
  <key id="d1" for="node" attr.name="club" attr.type="string"/>
  <key id="d2" for="node" attr.name="active" attr.type="boolean"><default>false</default></key>
  <key id="d3" for="edge" attr.name="weight" attr.type="double"><default>1</default></key>
  <graph id="G" edgedefault="undirected">
    <node id="ann"><data key="d0"> 30 </data><data key="d1">red &amp; white</data><data key="d2">true</data></node>
    <node id="bob"><data key="d0">40</data></node>
    <node id="cat"><data key="d0">-5</data><data key="d1">blue</data></node>
    <edge source="ann" target="bob"><data key="d3">2.5</data></edge>
    <edge source="bob" target="cat"/>
  </graph>
</graphml>
)";

}  // namespace gdkm::testing
