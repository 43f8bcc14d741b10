import { expose } from "comlink";
import { MeshReader } from "./read_meshes";

expose(new MeshReader());
