/** Libraries do not print: what they would say is partly a server's, and may repeat a key or steer the terminal. */
import { Console } from 'node:console';
import { Writable } from 'node:stream';

/** From now on whatever a library gives to `console` goes to `heard`, and never to stdout or stderr. We print through the writer. */
export function muteLibraries(heard: (said: string) => void): void {
	const sink = new Writable({
		decodeStrings: false,
		write(said: unknown, _, done) {
			heard(String(said));
			done();
		},
	});
	globalThis.console = new Console(sink, sink);
}
