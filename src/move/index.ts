/** Moves sessions between agents: convert, hand off, come back. */
export { type Agent, agents } from './agents.ts';
export { ask, type Certificate, type Client, certify, clients, judge } from './certify.ts';
export { type Converted, type ConvertOptions, convertSession } from './convert.ts';
export { type ConvertedFile, type ConvertFileOptions, convertFile } from './files.ts';
export { type HandedOff, type HandoffOptions, handOff, oraclesFolder } from './handoff.ts';
export { forgetLineage, type Lineage, lineages } from './lineage.ts';
export { lossKind, pathShape } from './losses.ts';
export { type Returned, type ReturnOptions, returnSession } from './return.ts';
export type { Watched } from './stream.ts';
export { translateCall } from './tool-translation.ts';
