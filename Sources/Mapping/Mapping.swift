// Mapping
