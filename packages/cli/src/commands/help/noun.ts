import { command as environment } from './environment.ts';
import { command as exitCodes } from './exit-codes.ts';
import { command as flags } from './flags.ts';
import { command as reference } from './reference.ts';
import { topicCommand } from './topic-command.ts';
import { topics } from './topics.ts';

export const commands = [flags, exitCodes, environment, ...topics.map(topicCommand), reference] as const;
