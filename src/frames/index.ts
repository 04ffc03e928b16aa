/** Frames: the lines by which hosts drive a coding agent. Their shapes, a reader that takes what it does not know, and a driver. */
export type { Json, JsonObject } from '../model/index.ts';
export {
	type AnswerRequest,
	type Answers,
	type DrivenProcess,
	type DriveOptions,
	driveProcess,
} from './drive-process.ts';
export { type FamilyFacts, frameFamilies } from './families.ts';
export { familyOf, type ParsedFrame, parseFrame } from './parse.ts';
export { type RequestAnswer, type RequestBody, type RequestName, requestSchemas } from './requests.ts';
export { type Asked, type FrameFamily, type FrameOf, frameSchemas, type Question } from './schemas.ts';
