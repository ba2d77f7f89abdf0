this is no key
