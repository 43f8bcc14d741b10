import { expose } from "comlink";
import { MeshRunner } from "./mesh_runner";

expose(new MeshRunner());
