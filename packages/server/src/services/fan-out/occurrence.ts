import type { Trigger } from '@hubline/contract';
import type { Scope } from '../../domain/conditions/scope.ts';
import type { JsonPiece } from '../../domain/json/encoded.ts';
import type { EventToSend } from '../../domain/events/envelope.ts';

/** A trigger that has fired, with its content. */
export interface Occurrence {
  trigger: Trigger;
  workspaceId: string;
  /** The content, if it is not an event. */
  data: Record<string, unknown>;
  resourceIds: readonly string[];
  /** The stored event, for `event.created`. */
  event?: EventToSend & { payload: JsonPiece };
}

/**
 * An occurrence with the values that conditions may name. Most conditions need none: the values are read once, on first
 * use.
 */
export type ScopedOccurrence = Occurrence & { scope: () => Scope };
