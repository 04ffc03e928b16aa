#!/usr/bin/env node
/** Reprise for a program that has a model of Anthropic's protocol only, with another protocol between them: REPRISE_WIRE says which. */
// `scripts/drive-wires.ts` gives it to the Agent SDK as the executable. Frames, signals and the exit code are passed through.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { startGateway } from '../test/support/gateway.ts';
import { envFor, modelNames, type ProtocolName } from '../test/support/model-server-ask.ts';

const { ANTHROPIC_BASE_URL: url = '', ANTHROPIC_API_KEY: key = '', REPRISE_WIRE: wire = '', ...rest } = process.env;
const gateway = await startGateway({ url, key });
// Nothing of Anthropic's is left: whatever the model is asked goes through the gateway.
const { ANTHROPIC_API_KEY: _, ANTHROPIC_BASE_URL: __, ...others } = envFor(gateway.url);
const env = { ...rest, ...others, REPRISE_MODEL: modelNames[wire as ProtocolName] };

const bin = join(import.meta.dirname, '../bin/reprise.js');
const reprise = spawn(process.execPath, [bin, ...process.argv.slice(2)], { stdio: 'inherit', env });
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => reprise.kill(signal));
reprise.on('exit', (code, signal) => process.exit(code ?? 128 + (signal ? constants.signals[signal] : 0)));
