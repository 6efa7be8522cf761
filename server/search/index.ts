/** Search for repositories, organizations, people, and teams by words in their names. */
export { find } from './search'
