import type { Condition } from '@hubline/sdk';
import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import { Popover } from '../../components/controls/popover.tsx';
import { FieldErrors, isAbout } from '../../components/fields/field.tsx';
import { Icon, type IconName } from '../../components/icons/icon.tsx';
import { Mark } from '../../components/icons/mark.tsx';
import { ProviderIcon } from '../../components/icons/provider-icon.tsx';
import { Conditions } from '../../components/schema/conditions.tsx';
import { SchemaFields } from '../../components/schema/schema-fields.tsx';
import { put, textOf, type Values } from '../../components/schema/spec.ts';
import { type ActionKind, FAILING, STEP_ID } from './actions.ts';

interface NodeProps {
  /** Its path in the request: the head of the node marks an error below this path. */
  readonly path: string;
  readonly icon: ComponentChildren;
  readonly title: string;
  readonly note: string;
  readonly open: boolean;
  readonly onOpen: () => void;
  readonly menu?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A part of a flow; one is unfolded at a time. */
export function Node({ path, icon, title, note, open, onOpen, menu, children }: NodeProps) {
  const wrong = useContext(FieldErrors).some((detail) => isAbout(detail, path));
  return (
    <section class={open ? 'node on' : 'node'} aria-label={title}>
      <div class="node-head">
        {icon}
        <button type="button" class="node-title" aria-expanded={open} onClick={onOpen}>
          <b>{title}</b>
          <small>{note}</small>
        </button>
        {wrong && <Mark name="fail" label="Has errors" />}
        {menu}
      </div>
      {open && <div class="node-body">{children}</div>}
    </section>
  );
}

/** The icon of a part. */
export const nodeIcon = (name: IconName) => (
  <span class="prov m">
    <Icon name={name} />
  </span>
);

interface StepNodeProps {
  readonly action: Values;
  readonly index: number;
  readonly count: number;
  /** The action; `undefined` if the workspace cannot take it, or does not know yet. */
  readonly kind: ActionKind | undefined;
  readonly loaded: boolean;
  readonly open: boolean;
  readonly onOpen: () => void;
  readonly onChange: (action: Values) => void;
  readonly onMove: (to: number) => void;
  readonly onRemove: () => void;
}

/** A step, with the fields of its action and its conditions. */
export function StepNode({
  action,
  index,
  count,
  kind,
  loaded,
  open,
  onOpen,
  onChange,
  onMove,
  onRemove,
}: StepNodeProps) {
  const path = `actions[${index}]`;
  const type = String(action['type']);
  const set = (name: string, value: unknown) => onChange(put(action, name, value));
  const common = type === 'wait' ? [STEP_ID] : [...FAILING, STEP_ID];
  const command = (label: string, run: () => void) => (close: () => void) => (
    <button
      key={label}
      type="button"
      role="menuitem"
      onClick={() => {
        close();
        run();
      }}
    >
      {label}
    </button>
  );
  const commands = [
    index > 0 && command('Move up', () => onMove(index - 1)),
    index < count - 1 && command('Move down', () => onMove(index + 1)),
    count > 1 && command('Remove', onRemove),
  ].filter((each) => each !== false);
  return (
    <Node
      path={path}
      icon={
        kind?.provider === undefined ? (
          nodeIcon(ICONS[type] ?? 'zap')
        ) : (
          <ProviderIcon provider={kind.provider} size="m" />
        )
      }
      title={stepTitle(action, kind)}
      note={`Step ${index + 1}${action['if'] ? ', if the conditions are met' : ''}`}
      open={open}
      onOpen={onOpen}
      menu={
        commands.length > 0 && (
          <Popover
            class="btn icon s quiet"
            name={`Step ${index + 1}: menu`}
            label={<Icon name="more" size="s" />}
            align="end"
          >
            {(close) => commands.map((each) => each(close))}
          </Popover>
        )
      }
    >
      {kind ? (
        <>
          <SchemaFields specs={kind.fields} values={action} path={`${path}.`} onChange={onChange} />
          {kind.inputs && (
            <SchemaFields
              specs={kind.inputs}
              values={(action['input'] ?? {}) as Values}
              path={`${path}.input.`}
              onChange={(input) => set('input', input)}
            />
          )}
        </>
      ) : (
        <p class="faint">{loaded ? 'Its integration is no longer connected.' : 'Loading…'}</p>
      )}
      <Conditions
        value={action['if'] as Condition | undefined}
        path={`${path}.if`}
        add="Run this step only if"
        onChange={(next) => set('if', next)}
      />
      <SchemaFields specs={common} values={action} path={`${path}.`} onChange={onChange} />
    </Node>
  );
}

const ICONS: Readonly<Record<string, IconName>> = {
  send_notification: 'mail',
  call_webhook: 'webhooks',
  create_event: 'events',
  wait: 'clock',
};

/** `Wait 60 s`, `Call a webhook: example.com/hook`, `Send a message: #ops`. */
function stepTitle(action: Values, kind: ActionKind | undefined): string {
  const { type, seconds, url, event_type: event, channel, input } = action;
  const place = url ?? event ?? channel ?? (input as Values | undefined)?.['channel'];
  if (type === 'wait') return `Wait ${textOf(seconds)} s`;
  const label = kind?.label ?? String(type);
  return place === undefined ? label : `${label}: ${textOf(place).replace(/^https:\/\//, '')}`;
}
