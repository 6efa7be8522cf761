/** What proves that the secret key, the repository directory, the object storage and the database belong to one site. */

export { adoptKey, adoptPlace } from './adopt'
export { guardPlaces } from './guard'
export { guardedStorage } from './guarded-storage'
export { oneByOne } from './one-by-one'
export { placesOf } from './places'
export { proveBelongings, settleBelongings } from './prove'
export { requireKeyOfMarks } from './secret-key'
