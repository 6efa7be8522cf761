'use client'
// Of its own, so that it is fetched by the lists that have several pages alone.
export { Pagination } from './primer'
