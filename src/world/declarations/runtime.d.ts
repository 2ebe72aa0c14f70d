// How prepared programs reach their modules. Nothing here is for programs to write.

type NodeModules = {};

declare var __keyhole: {
  modules: NodeModules;
  fs: typeof import("fs/promises");
  wholeFs: typeof import("fs");
  importSkill(name: string): Promise<any>;
  [name: string]: any;
};
