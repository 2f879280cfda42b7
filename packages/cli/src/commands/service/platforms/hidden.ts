/**
 * Homes and temporary files, which the service cannot see. On Windows, a home is closed to the user of the service; `npm install -g` puts
 * programs there.
 */
export const HIDDEN =
  /^(?:\/(?:home|root|run\/user|tmp|var\/tmp)(?:\/|$)|[A-Za-z]:\\[Uu]sers\\(?![Pp]ublic(?:\\|$)))/;
