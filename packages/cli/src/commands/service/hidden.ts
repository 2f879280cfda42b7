/** Homes and temporary files, which the service does not see. */
export const HIDDEN = /^\/(?:home|root|run\/user|tmp|var\/tmp)(?:\/|$)/;
