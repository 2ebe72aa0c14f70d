// How prepared programs reach their modules. Nothing here is for programs to write.

declare var __keyhole: {
  modules: NodeModules;
  importSkill(name: string): Promise<any>;
  [name: string]: any;
};
