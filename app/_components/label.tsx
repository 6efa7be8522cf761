'use client'
// For server components: importing from primer.ts would send all of it to the browser.
export { Label } from './primer'
