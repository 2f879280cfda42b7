declare module 'postject' {
  /** Adds bytes to a program, under a name by which it finds them when it runs. */
  export const inject: (
    ...args: [
      file: string,
      name: string,
      bytes: Buffer,
      options: { sentinelFuse: string; machoSegmentName: string },
    ]
  ) => Promise<void>;
}
