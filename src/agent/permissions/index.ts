/** Permissions: what a call may do, by rules, modes, folders and names. */
export { decide, guarded, isRemoved, namesCall } from './decide.ts';
export { denialText, isMarked, unaskedText } from './denial.ts';
export { hiddenFiles } from './file-access.ts';
export {
	noRules,
	type ReadRule,
	type Rule,
	type RuleKind,
	type Rules,
	readRule,
	splitRules,
	toolMeant,
} from './rule.ts';
export type { AskedCall, Circumstances, DecidedFile, Judgement } from './situation.ts';
export { ruleAllows, suggestRule } from './suggest.ts';
export { allowsHost } from './web.ts';
