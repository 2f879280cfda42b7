import type { Condition } from '@hubline/sdk';
import { useSignal } from '@preact/signals';
import { Popover } from '../../components/controls/popover.tsx';
import { Icon } from '../../components/icons/icon.tsx';
import { Conditions } from '../../components/schema/conditions.tsx';
import { rememberField } from '../../components/schema/insert-path.ts';
import { SchemaFields } from '../../components/schema/schema-fields.tsx';
import { put, through, type Values } from '../../components/schema/spec.ts';
import type { Draft } from '../../components/schema/use-draft.ts';
import { zone } from '../../components/text/time.tsx';
import { ABOUT, type ActionKind, actionsOf, THROTTLE, TRIGGERS, triggerOf } from './actions.ts';
import { triggerWords } from './automation-words.ts';
import { Node, nodeIcon, StepNode } from './step-node.tsx';

interface AutomationFlowProps {
  readonly draft: Draft;
  readonly kinds: readonly ActionKind[];
  /** False while `kinds` may lack the actions of tools. */
  readonly loaded: boolean;
  readonly integrations: Readonly<Record<string, string>>;
  /** True for those who may only view the automation. */
  readonly locked: boolean;
}

/** An automation from top to bottom: trigger, conditions, steps. */
export function AutomationFlow({ draft, kinds, loaded, integrations, locked }: AutomationFlowProps) {
  const { values } = draft;
  const open = useSignal(values['conditions'] ? 'conditions' : 'trigger');
  const part = (name: string) => ({
    open: open.value === name,
    onOpen: () => (open.value = open.value === name ? '' : name),
  });
  const set = (name: string, value: unknown) => draft.set(put(values, name, value));
  const actions = actionsOf(values);
  const setActions = (next: readonly Values[], at: number) => {
    set('actions', next);
    open.value = `step ${at}`;
  };
  const trigger = triggerOf(values);
  const event = String(trigger['event']);
  const adder = (at: number, label: preact.ComponentChildren, look: string) => (
    <Popover
      class={look}
      name={`Add a step ${at === actions.length ? 'at the end' : `before step ${at + 1}`}`}
      label={label}
    >
      {(close) =>
        kinds.map(({ type, label: name, begin }) => (
          <button
            key={type}
            type="button"
            role="menuitem"
            onClick={() => {
              close();
              setActions(actions.toSpliced(at, 0, { type, ...begin, id: freshId(actions) }), at);
            }}
          >
            {name}
          </button>
        ))
      }
    </Popover>
  );
  return (
    <div class="board scroll" onFocusIn={rememberField}>
      <fieldset class="flow" disabled={locked}>
        <Node
          {...part('trigger')}
          path="trigger"
          icon={nodeIcon('zap')}
          title={`When ${triggerWords(trigger)}`}
          note="Trigger"
        >
          <SchemaFields
            specs={[
              {
                name: 'event',
                label: 'Starts when',
                kind: 'select',
                options: Object.fromEntries(
                  Object.entries(TRIGGERS).map(([name, { label }]) => [name, label]),
                ),
              },
            ]}
            values={trigger}
            path="trigger."
            onChange={({ event: next }) =>
              set(
                'trigger',
                next === 'schedule' ? { event: next, cron: '0 9 * * 1', timezone: zone } : { event: next },
              )
            }
          />
          <SchemaFields
            specs={[
              ...(TRIGGERS[event]?.fields ?? []),
              ...(event === 'event.created' ? [through(integrations)] : []),
            ]}
            values={trigger}
            path="trigger."
            onChange={(next) => set('trigger', next)}
          />
        </Node>
        <div class="wire" />
        <Node
          {...part('conditions')}
          path="conditions"
          icon={nodeIcon('filter')}
          title={values['conditions'] ? 'Only if the conditions are met' : 'Always'}
          note="Conditions"
        >
          <Conditions
            value={values['conditions'] as Condition | null}
            path="conditions"
            onChange={(next) => set('conditions', next)}
          />
        </Node>
        {actions.map((action, index) => (
          <>
            <div class="wire plus">{adder(index, <Icon name="plus" size="x" />, 'btn icon')}</div>
            <StepNode
              key={index}
              {...part(`step ${index}`)}
              action={action}
              index={index}
              count={actions.length}
              kind={kinds.find(({ type }) => type === action['type'])}
              loaded={loaded}
              onChange={(next) => set('actions', actions.with(index, next))}
              onMove={(to) => setActions(actions.toSpliced(index, 1).toSpliced(to, 0, action), to)}
              onRemove={() => set('actions', actions.toSpliced(index, 1))}
            />
          </>
        ))}
        <div class="wire" />
        <span class="flow-add">
          {adder(
            actions.length,
            <>
              <Icon name="plus" size="s" />
              Add a step
            </>,
            'btn',
          )}
        </span>
        <div class="wire" />
        <Node
          {...part('about')}
          path="throttle"
          icon={nodeIcon('settings')}
          title="Name, limits and secret"
          note="Settings"
        >
          <SchemaFields specs={ABOUT} values={values} onChange={draft.set} />
          <SchemaFields
            specs={THROTTLE}
            values={(values['throttle'] ?? {}) as Values}
            path="throttle."
            onChange={(next) => set('throttle', Object.keys(next).length > 0 ? next : undefined)}
          />
        </Node>
      </fieldset>
    </div>
  );
}

/** An ID that no step has: `a1`, `a2`. */
function freshId(actions: readonly Values[]): string {
  let n = actions.length + 1;
  while (actions.some(({ id }) => id === `a${n}`)) n += 1;
  return `a${n}`;
}
