/**
 * Marks, which prove that the secret key, the repository directory, the object storage, and the database
 * belong to one site.
 */

export { adoptKey, adoptLocation } from './adopt'
export { guardLocations } from './guard'
export { guardedStorage } from './guarded-storage'
export { locationsOf } from './locations'
export { oneByOne } from './one-by-one'
export { proveBelongings, settleBelongings } from './prove'
export { requireKeyOfMarks } from './secret-key'
export { siteId } from './store'
