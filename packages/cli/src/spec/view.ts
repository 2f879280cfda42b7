/** Dotted paths into a value, two levels deep: `id`, `actor.name`. */
type Path<Item> = {
  [Key in keyof Item & string]:
    | Key
    | (NonNullable<Item[Key]> extends readonly unknown[]
        ? never
        : NonNullable<Item[Key]> extends object
          ? `${Key}.${keyof NonNullable<Item[Key]> & string}`
          : never);
}[keyof Item & string];

interface ColumnOptions {
  readonly header?: string;
  /** May be cut to fit the terminal; an ID only where it does not fit by itself. */
  readonly flexible?: true;
  /** Is left out if other columns would have to be cut short for it. */
  readonly optional?: true;
  /** The value for people, where its JSON would say too much. */
  readonly text?: (value: unknown) => string;
}

/** A column of a table: the place of its value, and its behavior on a narrow terminal. */
type Column<Item> = Path<Item> | ({ readonly path: Path<Item> } & ColumnOptions);

/** The way in which a kind of thing is shown, everywhere. */
export interface View<Item> extends AnyView {
  /** One, and many: `member`, `members`. */
  readonly noun: readonly [one: string, many: string];
  /** Every field, for `--json=` and its check. */
  readonly fields: readonly (keyof Item & string)[];
  readonly columns: readonly Column<Item>[];
  /** The field that `-q` and `-o id` print. */
  readonly id: Path<Item>;
  /** The field by which messages name an item. Default: `id`. */
  readonly name?: Path<Item>;
  /**
   * Secrets that nobody can ask for again. Every format has them: people see them below the message of a write, tables get a column, and
   * `-q` prints them after the ID. If a selection of fields leaves them out, they are shown on stderr.
   */
  readonly oneTimeSecrets?: readonly Path<Item>[];
  /** The subject of the sentence that such a secret may be lost. Default: `<name> exists, but its secret`. */
  readonly ofLoss?: (name: string) => string;
  /** More to print below the message of a write. */
  readonly reveal?: readonly Path<Item>[];
  /** The fields whose parts have a line each in a pipe, such as steps to read. Default: none, and JSON on one line. */
  readonly spread?: readonly (keyof Item & string)[];
}

/** A view of things of any type, for the output modules. */
export interface AnyView {
  readonly noun: readonly [one: string, many: string];
  readonly fields: readonly string[];
  readonly columns: readonly (string | ({ readonly path: string } & ColumnOptions))[];
  readonly id: string;
  readonly name?: string;
  readonly oneTimeSecrets?: readonly string[];
  readonly ofLoss?: (name: string) => string;
  readonly reveal?: readonly string[];
  readonly spread?: readonly string[];
}

/** A list of fields that names every field of `Item`. If one is missing, the error of the compiler names it. */
type Complete<Item, Fields extends readonly (keyof Item & string)[]> = [
  Exclude<keyof Item & string, Fields[number]>,
] extends [never]
  ? Fields
  : Fields & { readonly lacks: Exclude<keyof Item & string, Fields[number]> };

/**
 * Makes a view. The second call exists because TypeScript infers all type arguments or none: the field list is checked to name
 * every field of `Item`, so that a field added to the contract breaks the build here.
 */
export function view<Item>() {
  return <const Fields extends readonly (keyof Item & string)[]>(
    definition: Omit<View<Item>, 'fields'> & {
      readonly fields: Complete<Item, Fields>;
    },
  ): View<Item> => definition;
}
