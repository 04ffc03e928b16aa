/** The made-up name (`slug`) of a Claude Code session: the words that it is made of, chosen by the session's id alone. */
import { type Session, stringAt } from '../../../model/index.ts';
import { deriveHex } from '../../shared/write/derive.ts';
import { isOwn } from '../write/own-fields.ts';

const first = words(
	'amber brisk calm clever cosmic crisp dapper eager fluffy gentle golden hidden humble jolly keen lively lucid lunar mellow nimble quiet rapid rustic serene silver snug solar steady sunny tidy velvet virtual',
);
const second = words(
	'bouncing baking chasing crafting dancing drifting dreaming exploring floating gliding humming juggling jumping knitting leaping mapping munching painting pondering prancing puzzling roaming sailing singing sketching skipping spinning stirring strolling tinkering wandering weaving',
);
const surnames = words(
	'aho allen backus bartik boole church codd dahl diffie dijkstra engelbart floyd gosling hamming hamilton hoare hopper kay knuth lamport liskov lovelace mccarthy minsky moore naur nygaard perlis ritchie shannon turing wirth',
);

function words(list: string): readonly string[] {
	return list.split(' ');
}

/** The name for a session, which depends only on its id. */
export function sessionName(sessionId: string): string {
	const digits = deriveHex(12, 'session name', sessionId);
	return [first, second, surnames]
		.map((list, index) => list[Number.parseInt(digits.slice(4 * index, 4 * index + 4), 16) % list.length])
		.join('-');
}

/** The name in the last lines of a session, which new lines repeat. */
export function lastName(session: Session | undefined): string | undefined {
	for (const { extra } of session?.entries.toReversed() ?? []) {
		const name = extra && isOwn(extra) ? stringAt(extra, 'slug') : undefined;
		if (name !== undefined) return name;
	}
	return undefined;
}
