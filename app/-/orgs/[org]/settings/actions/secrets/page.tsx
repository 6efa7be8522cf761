import { placeOfOrg } from '@/app/_features/places/read-place'
import { variablesPage } from '@/app/_features/secrets/variables-page'

export const metadata = { title: 'Secrets' }

export default variablesPage('secret', placeOfOrg)
