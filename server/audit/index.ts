/** The audit log for administrators: who did what, when, from where, and to which resource. */
export { type ExportFormat, exportEvents } from './export'
