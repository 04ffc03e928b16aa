/** The conversation that each repaired case must come to, in short. Cases that are not listed come to the base conversation. */

const interrupted =
	'"[Tool call interrupted: the session ended before this call\'s result was recorded, so its outcome is unknown. Check whether it took effect before relying on it or running it again.]"';
const gone = '[result of a tool call that is not in this session]';

/** What most hand-written cases hold: one prompt, a call with its result, and the last reply. */
export const base = 'U["U1"] A["A1", use#1] U[res#1:"res1"] A["A2"]';

/** Claude Code answers what was left unanswered before it goes on. */
const noResponse = 'A["No response requested."]';

export const expected: { readonly [name: string]: string } = {
	'claude-code/resume-cases/assistant_content_string': 'U["U1"] A["A-STRING"]',
	'claude-code/resume-cases/chain_broken_mid_parent_missing': 'U["U1"] A["A1"] U["U2"] A["A2"]',
	'claude-code/resume-cases/compact_seed_style_summary_boundary_user_null': 'U["SUMMARY-LINE", "U-after"] A["A-after"]',
	'claude-code/resume-cases/empty_whitespace_assistant_text': 'U["U1", "U2", "U3"] A["A3"]',
	'claude-code/resume-cases/orphan_tool_result': `U["U1"] A["A1"] U["${gone} res1"] A["A2"]`,
	'claude-code/resume-cases/parallel_real_style_each_result_parent_its_tool_use':
		'U["U1"] A["A1", use#1, use#2, use#3] U[res#1:"res1", res#3:"res3", res#2:"res2"] A["A2"]',
	'claude-code/resume-cases/thinking_unsigned': 'U["U1"] A["TH", "A1"]',
	'claude-code/resume-cases/tool_use_without_result_at_end': `U["U1"] A["A1", use#1] U[res#1!:${interrupted}] ${noResponse}`,
	'claude-code/resume-cases/tool_use_without_result_mid_user_text_follows': `U["U1"] A["A1", use#1] U[res#1!:${interrupted}, "U2"] A["A2"]`,
	'claude-code/resume-cases/truncated_last_line': `U["U1"] A["A1", use#1] U[res#1:"res1"] ${noResponse}`,
	'claude-code/resume-cases/two_leaves_later_ts_earlier_in_file': 'U["U1"] A["A1"] U["BRANCH-Y"] A["AY"]',
	'claude-code/resume-cases/two_roots_no_parent_link': 'U["U1"] A["A1"] U["U2"] A["A2"]',
	'claude-code/resume-cases/unknown_type_as_chain_link': 'U["U1"] A["A1"]',
	'claude-code/damaged/garbage-message': `U["U1", "${gone} res1"] A["A2"]`,
	'claude-code/damaged/empty-signature': 'U["U1"] A["TH", "A1", use#1] U[res#1:"res1"] A["A2"]',
	'openclaw/min/01-bare-messages': 'U["Read main.ts"] A["ok"]',
	'openclaw/min/02-header-plus-bare': 'U["Read main.ts"] A["ok"]',
	'openclaw/min/oc-02-header-plus-bare': 'U["Read main.ts"] A["ok"]',
	'openclaw/min/07-header-no-id': 'U["Read main.ts"]',
	'openclaw/min/08-torn-tail': 'U["Read main.ts"]',
	'openclaw/min/10-broken-parent': 'U["Read main.ts"] A["ok"]',
	'openclaw/min/13-assistant-string-content': 'U["hi"] A["string content"]',
	'openclaw/min/18-nonmessage-leaf': 'U["Read main.ts"]',
	'openclaw/damaged/glued': 'U["U1"] A["A1", use#1] U[res#1!:"No result provided"] A["A2"]',
	'openclaw/damaged/open-call': 'U["U1"] A["A1", use#1] U[res#1!:"No result provided"] A["A2"]',
	'openclaw/damaged/orphan-result': `U["U1"] A["A1"] U["${gone.slice(0, -1)}: read]", "res1"] A["A2"]`,
	'openclaw/damaged/document-block': 'U["U1", "D1"] A["A1", use#1] U[res#1:"res1"] A["A2"]',
};
