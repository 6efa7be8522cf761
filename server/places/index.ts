/** Places: what webhooks, secrets, variables and runners belong to, loaded for those who may manage them. */

export { loadPlace, type Place, type PlaceFor, requireSamePlace } from './load'
export { lockOwners } from './lock-owners'
