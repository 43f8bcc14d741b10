import { expose } from "comlink";
import { Runner } from "./simulation_runner";

expose(new Runner());
