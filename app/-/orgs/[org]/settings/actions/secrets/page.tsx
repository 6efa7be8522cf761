import { scopeOfOrg } from '@/app/_features/scopes/read-scope'
import { variablesPage } from '@/app/_features/secrets/variables-page'

export const metadata = { title: 'Secrets' }

export default variablesPage('secret', scopeOfOrg)
