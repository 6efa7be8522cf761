/** Places: what webhooks, secrets, variables and runners belong to, loaded for those who may manage them. */

export { loadPlace, type Place } from './load'
