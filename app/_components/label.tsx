'use client'
// For components of the server: what they name of primer.ts would bring all of it to the browser.
export { Label } from './primer'
