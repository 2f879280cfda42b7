/** A part of a request without its wrong values: any field may be missing, and so may any item of a list. */
export type Draft<Whole> = Whole extends readonly (infer Item)[]
  ? readonly (Draft<Item> | undefined)[]
  : Whole extends object
    ? { readonly [Name in keyof Whole]?: Draft<Whole[Name]> | undefined }
    : Whole;
