import { scopeOfSite } from '@/app/_features/scopes/read-scope'
import { variablesPage } from '@/app/_features/secrets/variables-page'

export const metadata = { title: 'Variables' }

export default variablesPage('variable', scopeOfSite)
