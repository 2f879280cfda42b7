import { z } from 'zod';
import { VENDOR_ACTIONS } from '../../constants/statuses.ts';

const ProviderCredential = z
  .object({
    name: z.string().describe('Field of `credentials`.'),
    description: z.string().describe('Label of the field, and the place to find its value.'),
    required: z.boolean().describe('True if the method needs it.'),
    secret: z.boolean().describe('True if input fields should hide it.'),
  })
  .describe('A credential field.')
  .meta({ id: 'ProviderCredential' });

const ProviderMethod = z
  .object({
    method: z.string().describe('Key of the method, such as `token`.'),
    name: z.string().describe('Human-readable name.'),
    description: z.string().describe('Purpose of the method.'),
    credentials: z.array(ProviderCredential).describe('Its credential fields.'),
  })
  .describe('A way to connect a tool.')
  .meta({ id: 'ProviderMethod' });

/** The `type` of an action that a provider offers. */
export const VendorActionName = z
  .enum(VENDOR_ACTIONS)
  .meta({ id: 'VendorActionName', description: 'An action of a connected tool.' });

const ProviderActionInput = z
  .object({
    name: z.string().describe('Field of `input`.'),
    type: z.enum(['string', 'text', 'number', 'list']).meta({
      id: 'ActionInputType',
      description:
        'Form of the rendered text: `string` is one line, `text` may have several lines, `number` is a whole number, `list` is a list of strings or one string separated by commas.',
    }),
    description: z.string().describe('Meaning of the field, and its default.'),
    required: z.boolean().describe('True if the action needs it.'),
  })
  .describe('An input of an action. Strings are Liquid templates, whatever the type.')
  .meta({ id: 'ProviderActionInput' });

const ProviderAction = z
  .object({
    type: VendorActionName.describe('The `type` of the action in an automation.'),
    name: z.string().describe('Human-readable name.'),
    inputs: z.array(ProviderActionInput).describe('The fields of its `input`.'),
    outputs: z
      .array(z.string())
      .describe('Names of its results: later steps read `steps.<id>.output.<name>`.'),
  })
  .describe('An action that automations can take in a tool.')
  .meta({ id: 'ProviderAction' });

/** Specification, "Available integration provider". */
export const Provider = z
  .object({
    provider: z.string().describe('Provider key, such as `github`.'),
    name: z.string().describe('Human-readable name.'),
    description: z.string().describe('Events and notifications of the tool.'),
    required_credentials: z
      .array(z.string())
      .describe('Credential fields needed to connect by the first method.'),
    optional_credentials: z
      .array(z.string())
      .describe('Other credential fields of the provider: optional ones, and those of its other methods.'),
    oauth: z
      .boolean()
      .describe(
        'True if the tool can also be connected with OAuth, once the workspace has configured an app.',
      ),
    sync: z
      .boolean()
      .describe('True if its API lists what was missed, so that `syncIntegration` can ask for it.'),
    methods: z.array(ProviderMethod).describe('The ways to connect the tool, the usual one first.'),
    actions: z.array(ProviderAction).describe('Actions that automations can take in the tool.'),
  })
  .describe('An external tool that can be connected.')
  .meta({ id: 'Provider' });
