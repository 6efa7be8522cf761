/** What happened on the site, for its administrators: who did what, from where, when and on what. */
export { type ExportFormat, exportEvents } from './export'
