'use client'
// A separate chunk, loaded only by lists with several pages.
export { Pagination } from './primer'
