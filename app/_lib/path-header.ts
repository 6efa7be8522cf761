/** Which page is asked for, from proxy.ts: a layout is not told what it wraps. */
export const pathHeader = 'x-guildhall-path'
