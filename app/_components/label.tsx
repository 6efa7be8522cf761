'use client'
// This module is for server components: importing primer.ts there would send all of it to the browser.
export { Label } from './primer'
