/** People who block people; rooms that bring two persons together ask here first. */
export { isBlocking } from './store'
