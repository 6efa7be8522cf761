/** Labels of repositories and organizations, which are stored for clients of the API. */

export { fillLabels } from './fill'
export { labelTemplateNames } from './templates'
