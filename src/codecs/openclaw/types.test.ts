/** The published types, as an application uses and extends them. The compiler checks most of this. */
import { expect, expectTypeOf, test } from 'vitest';
import type { MessageStop, MessageUsage as Usage } from '../../model/index.ts';
import type {
	AgentMessage,
	AssistantMessage,
	CustomAgentMessages,
	Message,
	ToolResultMessage,
	UserMessage,
} from '../../openclaw.ts';

interface NoticeMessage {
	role: 'notice';
	text: string;
	timestamp: number;
}

interface ReviewMessage {
	role: 'review';
	verdict: 'good' | 'bad';
}

declare module '../../model/message.ts' {
	interface CustomAgentMessages {
		notice: NoticeMessage;
	}
}

declare module '../../openclaw.ts' {
	interface CustomAgentMessages {
		review: ReviewMessage;
	}
}

function label(message: AgentMessage): string {
	switch (message.role) {
		case 'notice':
			return message.text;
		case 'review':
			return message.verdict;
		case 'user':
			return typeof message.content === 'string' ? message.content : 'blocks';
		case 'assistant':
			return message.stopReason;
		case 'toolResult':
			return message.toolName;
	}
}

test('an application extends AgentMessage by declaration merging', () => {
	expectTypeOf<CustomAgentMessages>().toHaveProperty('notice');
	expectTypeOf<NoticeMessage>().toExtend<AgentMessage>();
	expect(label({ role: 'notice', text: 'hello', timestamp: 1 })).toBe('hello');
});

test('merging works through the re-export of the package', () => {
	expectTypeOf<CustomAgentMessages>().toHaveProperty('review');
	expect(label({ role: 'review', verdict: 'good' })).toBe('good');
});

test('the message types are those of the document', () => {
	expectTypeOf<Message>().toEqualTypeOf<UserMessage | AssistantMessage | ToolResultMessage>();
	expectTypeOf<MessageStop>().toEqualTypeOf<'stop' | 'length' | 'toolUse' | 'error' | 'aborted'>();
	expectTypeOf<AssistantMessage['usage']>().toEqualTypeOf<Usage>();
	expectTypeOf<ToolResultMessage<{ lines: number }>['details']>().toEqualTypeOf<{ lines: number } | undefined>();
	expect(label({ role: 'user', content: 'hi', timestamp: 1 })).toBe('hi');
});
