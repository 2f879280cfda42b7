/** Homes and temporary files, which the service cannot see. */
export const HIDDEN = /^\/(?:home|root|run\/user|tmp|var\/tmp)(?:\/|$)/;
