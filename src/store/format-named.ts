/** Finds the codec for a format or an agent that a user names (`pi` and `openclaw` are one format), and words the error for a name that nobody knows. */
import { type Codec, codecs } from '../codecs/index.ts';
import { InputError } from './errors.ts';

/** `pi` and `openclaw` are one format. */
export function writerNamed(name: string): Codec {
	const found = codecs.find(({ id, agents }) => id === name || agents.some((agent) => agent.name === name));
	if (found) return found;
	throw new InputError('unknown-format', `${name} is not a format that Reprise writes: use one of ${agentNames()}`);
}

/** Throws where no codec knows an agent by this name: nothing would be found, as if there were no sessions. */
export function checkAgent(name: string): void {
	if (codecs.some(({ agents }) => agents.some((agent) => agent.name === name))) return;
	throw new InputError('unknown-agent', `${name} is not an agent that Reprise knows: use one of ${agentNames()}`);
}

function agentNames(): string {
	return codecs.flatMap(({ agents }) => agents.map(({ name }) => name)).join(', ');
}
