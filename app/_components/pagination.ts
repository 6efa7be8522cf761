'use client'
// A chunk of its own, loaded only by lists that have several pages.
export { Pagination } from './primer'
