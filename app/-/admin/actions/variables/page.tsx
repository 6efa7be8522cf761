import { placeOfSite } from '@/app/_features/places/read-place'
import { variablesPage } from '@/app/_features/secrets/variables-page'

export const metadata = { title: 'Variables' }

export default variablesPage('variable', placeOfSite)
