/** The context part of Clido's codec. */
import type { ContextPart } from '../../codec.ts';
import { build, clients } from './context.ts';
import { unanswered } from './unanswered.ts';

// No envelope: one bad line anywhere makes the client refuse the file, so every line has to be read.
export const context: ContextPart = { unanswered: () => unanswered, clients, build };
